#!/usr/bin/env node
// Starts the command line on a Node.js that can run it: this one, or the one that npm installed with the project.
// Written so that old releases of Node.js understand it.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const NODE_MAJOR_MIN = 24
const commandLine = fileURLToPath(new URL('../server/cli.js', import.meta.url))
const pinned = fileURLToPath(new URL('../node_modules/node/bin/node', import.meta.url))

if (Number(process.versions.node.split('.', 1)[0]) >= NODE_MAJOR_MIN) {
  process.argv[1] = commandLine
  await import(commandLine)
} else if (existsSync(pinned)) {
  const child = spawn(pinned, [commandLine, ...process.argv.slice(2)], { stdio: 'inherit' })
  // A terminal sends its signals to the child as well; others come to this process alone.
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  process.on('SIGINT', () => undefined)
  child.on('exit', (code, signal) => (signal === null ? process.exit(code ?? 1) : process.kill(process.pid, signal)))
  child.on('error', (error) => {
    process.stderr.write(`error: ${error.message}\n`)
    process.exit(1)
  })
} else {
  process.stderr.write(
    `error: Node.js ${NODE_MAJOR_MIN} or newer is needed; this is ${process.versions.node}. Run npm install in the project first.\n`,
  )
  process.exit(1)
}
