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
 * Must run before the modules that it caches are loaded: later starts find them with their types stripped, and compiled. This file is
 * JavaScript so that even the code that strips types need not be loaded.
 */
module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/workspace-service', import.meta.url)))

// Operators can do nothing about the warning of Node.js 22 that its SQLite is experimental.
const { emitWarning } = process
process.emitWarning = (warning, ...rest) => {
  if (!String(warning).startsWith('SQLite is an experimental feature')) Reflect.apply(emitWarning, process, [warning, ...rest])
}
