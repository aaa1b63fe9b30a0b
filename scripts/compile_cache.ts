/**
 * Modules that are imported after this one are found with their types stripped, and compiled, by later runs and by threads: loading those of
 * lint and of the generators takes three seconds otherwise. What a module imports statically is loaded before it runs.
 */

import { enableCompileCache } from 'node:module'
import { resolve } from 'node:path'

process.env['NODE_COMPILE_CACHE'] ??= resolve(import.meta.dirname, '../node_modules/.cache/scripts')
enableCompileCache(process.env['NODE_COMPILE_CACHE'])
