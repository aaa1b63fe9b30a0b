import { runCommandLine } from '../../../../cli/src/program.ts'

// What a command reports stands before the line that says where it ended.
process.stderr.write = process.stdout.write.bind(process.stdout)

// Runs command lines one after the other in one process, and says where each one ended.
for (const words of JSON.parse(process.argv[2] ?? '[]')) {
  const code = await runCommandLine(words)
  process.exitCode = undefined
  console.log(`ended with ${code}`)
}
process.exit(0)
