import './prepare.js'

const words = process.argv.slice(2)
if (words.length === 0) {
  // To serve, as it is set up by the environment, takes no command line.
  await import('./main.js')
} else {
  const { runCommandLine } = await import('./cli/program.ts')
  const { withDefaultCommand } = await import('./cli/with_default_command.ts')

  /** `workspace-service`, `npm run cli -- …`. */
  process.exit(await runCommandLine(withDefaultCommand(words)))
}
