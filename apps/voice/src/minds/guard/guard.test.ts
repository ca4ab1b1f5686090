import { mindConforms } from '@parley/voice-ports/conformance'
import { createScriptedMind } from '@parley/offline-mind'
import { guardedBy } from './testing/guarded.ts'

mindConforms('the scripted mind behind the guard', () => ({ mind: guardedBy(createScriptedMind()), repeatable: true }))
