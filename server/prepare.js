import module from 'node:module'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const [oldestMajor, oldestMinor] = JSON.parse(readFileSync(new URL('../bin/oldest_node.json', import.meta.url), 'utf8'))
if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
  process.stderr.write(
    `error: The service needs Node.js ${oldestMajor}.${oldestMinor} or newer; this is ${process.versions.node}.\n`,
  )
  process.exit(1)
}

/*
 * Has to come before what it is good for is loaded: later starts find every module read, stripped and compiled. Not TypeScript itself, so
 * that what strips types need not even be loaded.
 */
module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/workspace-service', import.meta.url)))

// What Node.js 22 says of its SQLite is nothing that whoever runs the service can act on.
const { emitWarning } = process
process.emitWarning = (warning, ...rest) => {
  if (!String(warning).startsWith('SQLite is an experimental feature')) Reflect.apply(emitWarning, process, [warning, ...rest])
}
