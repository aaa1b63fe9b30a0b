/**
 * Makes everything under `generated/` from the contract.
 *
 *     node scripts/generate.ts [--root spec/openapi.yaml] [--out generated]
 */

import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { generate } from './generate/generate.ts'

const projectRoot = resolve(import.meta.dirname, '..')
const { values } = parseArgs({
  options: {
    root: { type: 'string', default: join(projectRoot, 'spec/openapi.yaml') },
    out: { type: 'string', default: join(projectRoot, 'generated') },
  },
})

const started = performance.now()
const seconds = (): string => `${((performance.now() - started) / 1000).toFixed(1)} s`
try {
  const files = await generate(resolve(values.root), (step) => console.log(`${seconds().padStart(7)}  ${step}`))
  await mkdir(join(values.out, 'versions'), { recursive: true })
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(values.out, name), text)))
  console.log(`${seconds().padStart(7)}  ${Object.keys(files).length} files in ${values.out}`)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
