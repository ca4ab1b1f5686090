import { afterAll, afterEach, beforeEach } from 'vitest'
import { beginTest, endTest, keepWords } from './testing.tsx'

// Setup of each file: the files share a page and its modules, so state is reset around every test.

beforeEach(beginTest)
afterEach(endTest)
afterAll(keepWords)
