/** All steps in their order: files of `spec/` in, texts of `generated/` out. */

import { dirname, join } from 'node:path'
import { stringify } from 'yaml'
import { bundle } from './bundle.ts'
import type { Document } from './document.ts'
import { errorCodeTables, errorCodesModule } from './error_codes.ts'
import { handlersModule } from './handlers.ts'
import { mockDocument } from './mock.ts'
import { operationRows, operationsModule, operationsTable, pathPatterns } from './operations.ts'
import { publicDocument } from './public.ts'
import { datedContracts, type DatedContract } from './releases/contracts.ts'
import { withOlderExamples } from './releases/examples.ts'
import { withoutMisfits } from './releases/requests.ts'
import { sdkDocuments } from './sdk/document.ts'
import { serverDocument } from './server/document.ts'
import { typesModule } from './types.ts'
import { validatorsModule, validatorsTypes } from './validators.ts'
import { checkReleases, readReleases, releaseDates, versionsPage } from './versions.ts'

const PUBLIC_PURPOSE = 'The public bundle.'

/** Generated files: name -> text. */
export type GeneratedFiles = Record<
  | 'openapi.yaml'
  | 'openapi.json'
  | 'openapi.server.json'
  | 'openapi.mock.yaml'
  | 'openapi.sdk.yaml'
  | 'openapi.sdk31.yaml'
  | 'types.ts'
  | 'operations.ts'
  | 'operations.txt'
  | 'handlers.ts'
  | 'error_codes.ts'
  | 'validators.js'
  | 'validators.d.ts'
  | 'versions.md',
  string
> &
  Record<`versions/${string}.yaml` | `versions/${string}.json`, string>

/**
 * Generates every file from the contract whose root is `root` (absolute path); the same files always give the same texts.
 * `report` hears the name of each step when it is done. Throws an error with a readable message when the contract cannot be used.
 */
export async function generate(root: string, report: (step: string) => void = () => {}): Promise<GeneratedFiles> {
  const done = <T>(step: string, value: T): T => {
    report(step)
    return value
  }
  const sources = done('bundled', await bundle(root))
  const document = done('public bundle', publicDocument(sources))
  const server = done('server form', `${JSON.stringify(serverDocument(document), null, 1)}\n`)
  const mock = done('mock form', mockDocument(document))
  const sdk = done('forms for generators of clients', sdkDocuments(document))
  const operations = operationRows(document)
  const errorCodes = done('tables', errorCodeTables(document))
  const releases = await readReleases(join(dirname(root), 'versions'))
  checkReleases(releases, document, operations)
  const dated: DatedContract[] = []
  const gone = new Set<string>()
  for (const { date, document: older } of datedContracts(document, releases))
    dated.push({ date, document: withoutMisfits(await withOlderExamples(older, date, document), gone) })
  report('contracts by date')
  const types = done('types', await typesModule(document))
  const validators = done('validators', validatorsModule(server, operations))
  return done('texts', {
    'openapi.yaml': yaml(PUBLIC_PURPOSE, document),
    'openapi.json': `${JSON.stringify(document)}\n`,
    'openapi.server.json': server,
    'openapi.mock.yaml': yaml('For Prism as a process of its own, which the benchmark measures.', mock),
    'openapi.sdk.yaml': yaml('For generators of clients that read OpenAPI 3.0.', sdk.for30),
    'openapi.sdk31.yaml': yaml('For generators of clients that read OpenAPI 3.1.', sdk.for31),
    'types.ts': types,
    'operations.ts': operationsModule(operations, pathPatterns(document), releaseDates(document)),
    'operations.txt': operationsTable(operations),
    'handlers.ts': handlersModule(document),
    'error_codes.ts': errorCodesModule(errorCodes),
    'validators.js': validators,
    'validators.d.ts': validatorsTypes,
    'versions.md': versionsPage(releases),
    ...Object.fromEntries(
      dated.flatMap(({ date, document: older }) => [
        [`versions/${date}.yaml`, yaml(`The contract as of ${date}.`, older)],
        [`versions/${date}.json`, `${JSON.stringify(older)}\n`],
      ]),
    ),
  })
}

/** The public bundle alone, for who looks at the contract while writing it. */
export async function generatePublic(root: string): Promise<{ document: Document; text: string }> {
  const document = publicDocument(await bundle(root))
  checkReleases(await readReleases(join(dirname(root), 'versions')), document, operationRows(document))
  return { document, text: yaml(PUBLIC_PURPOSE, document) }
}

function yaml(purpose: string, value: unknown): string {
  return `# ${purpose} Made from spec/ by \`npm run generate\`. Do not edit.\n${stringify(value, { aliasDuplicateObjects: false, lineWidth: 0, compat: 'yaml-1.1' })}`
}
