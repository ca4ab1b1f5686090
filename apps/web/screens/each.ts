import { afterAll, afterEach, beforeEach } from 'vitest'
import { beginTest, endTest, keepWords } from './testing.tsx'

// The files share a page, and with it what each of them imports: what is done around every test is said here, which is
// read for each file.

beforeEach(beginTest)
afterEach(endTest)
afterAll(keepWords)
