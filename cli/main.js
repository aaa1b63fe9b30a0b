import '@workspace-service/server/prepare.js'

const words = process.argv.slice(2)
if (words.length === 0) {
  // The default start, configured by the environment, needs no command line.
  await import('@workspace-service/server/main.js')
} else {
  const { runCommandLine } = await import('./src/program.ts')
  const { withDefaultCommand } = await import('./src/with_default_command.ts')

  /** Reached by `workspace-service` and `npm run cli -- …`. */
  process.exit(await runCommandLine(withDefaultCommand(words)))
}
