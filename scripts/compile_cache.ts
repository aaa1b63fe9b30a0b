/**
 * Caches the compiled code, with types stripped, of modules that are imported after this one, for later runs and for threads: otherwise
 * loading lint and the generators takes three seconds. Static imports of a module are loaded before it runs.
 */

import { enableCompileCache } from 'node:module'
import { resolve } from 'node:path'

process.env['NODE_COMPILE_CACHE'] ??= resolve(import.meta.dirname, '../node_modules/.cache/scripts')
enableCompileCache(process.env['NODE_COMPILE_CACHE'])
