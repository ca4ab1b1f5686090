// Exit code 0 while the process of this container lives: one question for all roles of the image.

const port = Number(process.env.PORT || 3000)
const isVoice = process.env.PARLEY_ROLE === 'voice'
const own = isVoice ? Number(process.env.VOICE_PORT || port + 1) : port
const answer = await fetch(`http://127.0.0.1:${own}/livez`, { signal: AbortSignal.timeout(4000) }).catch(
  () => undefined,
)
process.exit(answer?.ok === true ? 0 : 1)
