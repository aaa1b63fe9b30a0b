/** The files of `generated/`, made from one contract by a list of generators. */

import { Worker } from 'node:worker_threads'
import { brandedValuesModule } from './branded_values.ts'
import { clientOperationsModule, resourcesModule } from './client.ts'
import { brunoCollection } from './collections/bruno.ts'
import { postmanCollection } from './collections/postman.ts'
import type { Contract } from './contract.ts'
import { datedContractsOf } from './contract.ts'
import type { Document } from './document.ts'
import { errorCodeTables, errorCodesModule } from './error_codes.ts'
import { errorExamplesModule } from './error_examples.ts'
import { exampleResponsesFiles } from './example_responses.ts'
import { CollectedFaults, ContractFaults } from './faults.ts'
import { handlersModule } from './handlers.ts'
import { mockDocument } from './mock.ts'
import { capabilityWords, operationRows, operationsModule, operationsTable, pageSizeDefault, pathPatterns } from './operations.ts'
import { withSources } from './fault_locations.ts'
import { releaseChangesModule } from './release_changes_module.ts'
import { secretFieldsModule } from './secret_fields.ts'
import { sdkDocuments } from './sdk/document.ts'
import { serverDocument } from './server/document.ts'
import { readSideContract, sideContracts, type SideContract } from './side_contracts.ts'
import { typesModule } from './types.ts'
import { validatorsModule, validatorsTypes } from './validators.ts'
import { releaseDates, versionsPage } from './versions.ts'
import { yamlText, type YamlPieces } from './yaml_text.ts'

/** Generated files: name below `generated/` -> text. */
export type GeneratedFiles = Readonly<Record<string, string>>

interface Generator {
  readonly name: string
  /** Throws an error with a readable message if the contract cannot be used. */
  files(contract: Contract, yaml: YamlPieces): GeneratedFiles | Promise<GeneratedFiles>
}

/** The files that the service and the mock read when they start. */
const forPrograms: readonly Generator[] = [
  {
    name: 'public bundle',
    files: ({ document }, yaml) => contractFiles('openapi', document, undefined, yaml),
  },
  {
    name: 'server form and validators',
    files({ document }) {
      const server = `${JSON.stringify(serverDocument(document), null, 1)}\n`
      const module = validatorsModule(server, operationRows(document))
      return { 'openapi.server.json': server, 'validators.js': module, 'validators.d.ts': validatorsTypes }
    },
  },
  {
    name: 'operations',
    files({ document }) {
      const rows = operationRows(document)
      const module = operationsModule(
        rows,
        pathPatterns(document),
        releaseDates(document),
        pageSizeDefault(document),
        capabilityWords(document),
      )
      return { 'operations.ts': module, 'operations.txt': operationsTable(rows) }
    },
  },
  { name: 'secret fields', files: ({ document }) => ({ 'secret_fields.ts': secretFieldsModule(document) }) },
  { name: 'branded values', files: ({ document }) => ({ 'branded_values.ts': brandedValuesModule(document) }) },
  { name: 'error codes', files: ({ document }) => ({ 'error_codes.ts': errorCodesModule(document) }) },
  {
    name: 'error examples',
    files({ document, isWhole }): GeneratedFiles {
      return isWhole ? { 'error_examples.ts': errorExamplesModule(document, errorCodeTables(document)) } : {} // examples may be missing
    },
  },
]

const BY_DATE = 'contracts by date'

const forOthers: readonly Generator[] = [
  {
    name: 'mock form',
    files: ({ document }, yaml) => ({
      'openapi.mock.yaml': yamlFile(
        'For running Prism as a separate process, as the benchmark does.',
        mockDocument(document),
        yaml,
      ),
    }),
  },
  {
    name: 'forms for generators of clients',
    files: ({ document }, yaml) => sdkFiles(document, undefined, yaml),
  },
  { name: 'example responses', files: ({ document }) => exampleResponsesFiles(document) },
  {
    name: 'types',
    async files({ document, isWhole }): Promise<GeneratedFiles> {
      return isWhole ? { 'types.ts': await typesModule(document) } : {} // openapi-typescript rejects missing components
    },
  },
  {
    name: 'operations of the client',
    files: ({ document }) => ({
      'client_operations.ts': clientOperationsModule(document),
      'resources.ts': resourcesModule(document),
    }),
  },
  { name: 'handlers', files: ({ document }) => ({ 'handlers.ts': handlersModule(document) }) },
  {
    name: 'changes of versions',
    files: ({ releases }) => ({ 'versions.md': versionsPage(releases), 'release_changes.ts': releaseChangesModule(releases) }),
  },
  {
    name: 'collections',
    files: ({ document }) => ({
      'collections/postman.json': `${JSON.stringify(postmanCollection(document), null, 1)}\n`,
      ...Object.fromEntries(Object.entries(brunoCollection(document)).map(([file, text]) => [`collections/bruno/${file}`, text])),
    }),
  },
  sideContract('control'),
  sideContract('console'),
  {
    name: BY_DATE,
    // The steps from release to release may need missing parts.
    files: (contract, yaml) => (contract.isWhole ? filesByDate(contract, yaml) : {}),
  },
]

function sideContract(name: SideContract): Generator {
  const meaning = sideContracts[name]
  return {
    name: meaning,
    async files({ root, files }, yaml): Promise<GeneratedFiles> {
      const document = await readSideContract(root, name, files)
      if (document === undefined) return {}
      return {
        ...contractFiles(name, document, `The ${meaning}.`, yaml),
        [`${name}.server.json`]: `${JSON.stringify(serverDocument(document))}\n`,
        [`${name}_types.ts`]: await typesModule(document, `Types of the ${meaning}.`),
      }
    },
  }
}

interface Options {
  /** Called with the name of each generator when it is done. */
  readonly report?: (name: string) => void
  /** Whether to generate only the files that the service and the mock need to start. */
  readonly isForPrograms?: boolean
  /** Whether to leave out the dated contracts, which take as long as everything else. */
  readonly isOfNewest?: boolean
  /** Whether to generate the dated contracts in a thread, which is slower for a small contract. */
  readonly usesThread?: boolean
}

/**
 * Generates every file from a contract; the same contract always gives the same texts. Writes no files.
 * @throws ContractFaults with the faults of all generators
 */
export async function generate(
  contract: Contract,
  { report, isForPrograms = false, isOfNewest = false, usesThread = false }: Options = {},
): Promise<GeneratedFiles> {
  const files: Record<string, string> = {}
  const faults = new CollectedFaults()
  const yaml: YamlPieces = new Map()
  const byDate = usesThread && contract.isWhole ? faults.result(filesByDateInThread(contract)) : undefined
  for (const generator of isForPrograms ? forPrograms : [...forPrograms, ...forOthers]) {
    if (isOfNewest && generator.name === BY_DATE) continue
    const made = generator.name === BY_DATE ? byDate : undefined
    Object.assign(files, await (made ?? faults.result((async () => generator.files(contract, yaml))())))
    report?.(generator.name)
  }
  if (faults.all.length > 0) throw await withSources(new ContractFaults(faults.all), contract.root, contract.files)
  return files
}

type OfReleases = Pick<Contract, 'document' | 'releases'>

/**
 * The dated contracts.
 * @param pieces as in `contractFiles`
 */
export async function filesByDate(contract: OfReleases, pieces: YamlPieces = new Map()): Promise<GeneratedFiles> {
  const dated = await datedContractsOf(contract)
  const files = dated.map(({ date, document }) =>
    contractFiles(`versions/${date}`, document, `The contract as of ${date}.`, pieces),
  )
  return Object.assign({}, ...files)
}

function filesByDateInThread({ document, releases }: OfReleases): Promise<GeneratedFiles> {
  const thread = new Worker(new URL('./releases/dated_thread.ts', import.meta.url), { workerData: { document, releases } })
  return new Promise((done, fail) => {
    type Outcome = { readonly files: GeneratedFiles } | { readonly faults: readonly string[] }
    thread.once('message', (outcome: Outcome) =>
      'files' in outcome ? done(outcome.files) : fail(new ContractFaults(outcome.faults)),
    )
    thread.once('error', fail)
  })
}

/**
 * A contract as YAML and as JSON, by a name without extension.
 * @param pieces cached texts
 */
export function contractFiles(
  name: string,
  document: Document,
  purpose = 'The public bundle.',
  pieces: YamlPieces = new Map(),
): GeneratedFiles {
  return { [`${name}.yaml`]: yamlFile(purpose, document, pieces), [`${name}.json`]: `${JSON.stringify(document)}\n` }
}

/** The contract for generators of clients. @param errorSchema name of the schema of all errors @param pieces as in `contractFiles` */
export function sdkFiles(document: Document, errorSchema?: string, pieces: YamlPieces = new Map()): GeneratedFiles {
  const { for30, for31 } = sdkDocuments(document, errorSchema)
  return {
    'openapi.sdk.yaml': yamlFile('For generators of clients that read OpenAPI 3.0.', for30, pieces),
    'openapi.sdk31.yaml': yamlFile('For generators of clients that read OpenAPI 3.1.', for31, pieces),
  }
}

function yamlFile(purpose: string, document: object, pieces: YamlPieces): string {
  return `# ${purpose} Made from spec/ by \`npm run generate\`. Do not edit.\n${yamlText(document, pieces)}`
}
