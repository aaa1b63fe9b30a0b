import './prepare.js'

const { runCommandLine } = await import('./cli/program.ts')

/** `workspace-service`, `npm run cli -- …`. */
process.exit(await runCommandLine(process.argv.slice(2)))
