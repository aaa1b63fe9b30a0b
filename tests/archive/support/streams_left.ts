/** Adds entries to the archive at a path. Prints the number of their streams that are still in memory. */

import { PassThrough } from 'node:stream'
import { queryObjects } from 'node:v8'
import { ZipWriter } from '../../../archive/src/zip_writer.ts'

const [path = '', entries = ''] = process.argv.slice(2)
const zip = new ZipWriter(path)
for (let index = 0; index < Number(entries); index += 1) await zip.addText(`${index}.md`, 'Text', 0)
console.log(queryObjects(PassThrough, { format: 'count' }))
await zip.finish()
