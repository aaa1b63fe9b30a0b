import './prepare.js'

const { runCommandLine } = await import('./cli/program.ts')

const words = process.argv.slice(2)
/** `workspace-service`, `npm run cli -- …`. Whoever says no more than the program's name wants to see it work. */
process.exit(await runCommandLine(words.length === 0 ? ['serve'] : words))
