import sherpa from 'sherpa-onnx-node'
import type { Answered, Asked } from './ear-messages.ts'
import { Recognition } from './ear-recognition.ts'

// Recognises the speech of all calls of the voice service, in a process of its own: the native library ends its process
// when it does not like a model, and decoding must not hold up frames.

const recognition = new Recognition(
  (config) => new sherpa.OnlineRecognizer(config),
  (answered: Answered) =>
    new Promise<void>((sent) => (process.connected ? process.send?.(answered, () => sent()) : sent())),
)
process.on('message', (asked: Asked) => recognition.take(asked))
process.on('disconnect', () => process.exit(0))
