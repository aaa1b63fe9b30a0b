/**
 * Builds the package to be published in dist/: the program as JavaScript, its types, the contract and the rendered reference.
 *
 *     npm run build [-- --name @example/workspace-service] [--repository https://…] [--docs docs] [--out dist]
 *
 * Then run `npm pack ./dist` or `npm publish ./dist`. `--name` sets the name of the package, for a scope that the publisher owns;
 * `--repository` sets its repository, which provenance requires.
 */

import { cp, mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { writeContractData } from './build/contract_data.ts'
import { writeDeclarations } from './build/declarations.ts'
import { licensesOf } from './build/licenses.ts'
import { manifest } from './build/manifest.ts'
import { packFolder } from './build/pack_folder.ts'
import { packageReadme } from './build/package_readme.ts'
import { bundleProgram } from './build/program.ts'
import { projectRoot } from './generate/files.ts'
import { parseCommandLine } from './parse_command_line.ts'

const { values } = parseCommandLine(import.meta.filename, {
  options: {
    out: { type: 'string', default: join(projectRoot, 'dist') },
    docs: { type: 'string', default: join(projectRoot, 'docs') },
    name: { type: 'string' },
    repository: { type: 'string' },
  },
})
const out = resolve(values.out)
const started = performance.now()
const docs = resolve(values.docs)
const hasDocs = await stat(join(docs, 'index.html')).then(
  () => true,
  () => false,
)

/** The files of generated/ that are served or exported. */
const CONTRACT = [
  'openapi.json',
  'openapi.yaml',
  'openapi.sdk.yaml',
  'openapi.sdk31.yaml',
  'openapi.server.json',
  'control.json',
  'control.yaml',
  'control.server.json',
  'console.server.json',
]

/** Bytes of pages that are decompressed at once. */
const PAGES_BYTES = 2_000_000
/** Bytes of dated contracts that are decompressed at once: most of their text is the same. */
const CONTRACTS_BYTES = 12_000_000

await rm(out, { recursive: true, force: true })
await mkdir(join(out, 'generated'), { recursive: true })
await Promise.all([
  writeDeclarations(join(out, 'types')),
  bundleProgram(out).then(async (folders) => writeFile(join(out, 'THIRD_PARTY_LICENSES'), await licensesOf(folders))),
  writeContractData(join(out, 'contract')),
  hasDocs ? packFolder(docs, join(out, 'docs'), PAGES_BYTES) : undefined,
  hasDocs ? cp(join(docs, 'SKILL.md'), join(out, 'SKILL.md')) : undefined,
  packFolder(join(projectRoot, 'console/dist'), join(out, 'console'), PAGES_BYTES),
  packFolder(join(projectRoot, 'generated/versions'), join(out, 'generated/versions'), CONTRACTS_BYTES),
  manifest(values.name, values.repository).then((fields) =>
    writeFile(join(out, 'package.json'), `${JSON.stringify(fields, null, 2)}\n`),
  ),
  copy('bin', 'bin'),
  copy('LICENSE', 'LICENSE'),
  copy('CHANGELOG.md', 'CHANGELOG.md'),
  copy('OPERATIONS.md', 'OPERATIONS.md'),
  packageReadme(values.name).then((text) => writeFile(join(out, 'README.md'), text)),
  ...CONTRACT.map((name) => copy(join('generated', name), join('generated', name))),
])
console.log(`The package is ready after ${((performance.now() - started) / 1000).toFixed(1)} s: ${out}`)
if (!hasDocs) console.warn('The package has no reference: `npm run docs` renders it.')

async function copy(from: string, to: string): Promise<void> {
  await cp(join(projectRoot, from), join(out, to), { recursive: true })
}
