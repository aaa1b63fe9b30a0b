import './prepare.js'

const { runCommandLine } = await import('./cli/program.ts')
const { withDefaultCommand } = await import('./cli/with_default_command.ts')

/** `workspace-service`, `npm run cli -- …`. */
process.exit(await runCommandLine(withDefaultCommand(process.argv.slice(2))))
