/**
 * For test processes with `--import`: sends the process a signal before or after it writes a line of a journal. `SIGNAL_AT_LINE` selects
 * both, as in `SIGKILL before 1`.
 */

import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const [, signal = '', moment, number] = /^(\w+) (before|after) (\d+)$/.exec(process.env['SIGNAL_AT_LINE'] ?? '') ?? []
const append = fs.appendFileSync
let lines = 0

fs.appendFileSync = (path, data, options) => {
  const isAt = /\.progress$|\/steps\.jsonl$/.test(String(path)) && (lines += 1) === Number(number)
  if (isAt && moment === 'before') process.kill(process.pid, signal)
  append(path, data, options)
  if (isAt && moment === 'after') process.kill(process.pid, signal)
}
syncBuiltinESMExports()
