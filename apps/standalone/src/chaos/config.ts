/** What of this process's environment its children need: nothing of it configures a Parley. */
export function bareEnvironment(environment: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const kept = ['PATH', 'HOME', 'TMPDIR', 'NODE_COMPILE_CACHE']
  return Object.fromEntries(
    kept.flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]]])),
  )
}
