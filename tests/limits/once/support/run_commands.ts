import { runCommandLine } from '../../../../cli/src/program.ts'

// Reports of a command precede the line that marks its end.
process.stderr.write = process.stdout.write.bind(process.stdout)

// Runs command lines one after the other in one process, and marks the end of each.
for (const words of JSON.parse(process.argv[2] ?? '[]')) {
  const code = await runCommandLine(words)
  process.exitCode = undefined
  console.log(`ended with ${code}`)
}
process.exit(0)
