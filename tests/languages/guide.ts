/** The guide to clients in other languages, generated from the kits of `npm run test:languages`, so that its recipes are tested. */

import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { Kit } from './kit.ts'
import { kits, programsFolder } from './kits.ts'

const INTRODUCTION = `# Clients in other languages

Every service has two forms of the contract for client generators: \`/openapi.sdk.yaml\` in OpenAPI 3.0, and \`/openapi.sdk31.yaml\` in
OpenAPI 3.1. They contain no unions, because most languages cannot express them: a union is one object with the properties of all its
variants, and its \`type\` says which are present. Every error is an \`ErrorObject\`. They accept everything that the service accepts or
returns; some problems are found only by the service.

\`npm run test:languages\` runs each example below: it generates and compiles the client, and the program calls a running service with the
demo workspace. To try one, save its files in an empty folder, together with the form that it reads:

\`\`\`sh
export SERVICE=https://workspace.example TOKEN=…   # npm start prints those of a service on your machine
curl -O $SERVICE/openapi.sdk.yaml -O $SERVICE/openapi.sdk31.yaml
\`\`\`

New values, such as block types, may be added to responses at any time. If possible, configure your generator to accept unknown values.
`

export async function guideText(): Promise<string> {
  const bodies = ['page.json', 'by_title.json', 'by_nothing.json']
  const shown = await Promise.all(bodies.map(async (name) => fileText(name, await programText(name))))
  const recipes = await Promise.all(kits.map(recipe))
  return [INTRODUCTION, 'Request bodies of some of the programs:\n', ...shown, ...recipes, faultsTable()].join('\n')
}

async function recipe({ name, version, language, files, install, generate, compile, run }: Kit): Promise<string> {
  const own = Object.entries(files).filter(([file, source]) => 'text' in source || extname(file) !== '.json')
  const shown = await Promise.all(
    own.map(async ([file, source]) => fileText(file, 'text' in source ? source.text : await programText(source.program))),
  )
  const commands = [...install, ...generate, ...compile, run].join('\n')
  return [`## ${language}: ${name} ${version}\n`, ...shown, `\`\`\`sh\n${commands}\n\`\`\`\n`].join('\n')
}

/** Each fault once, with all its languages. */
function faultsTable(): string {
  const all = kits.flatMap(({ name, version, language, faults = [] }) =>
    faults.map((fault) => ({ generator: `${name} ${version}`, language, fault })),
  )
  const byFault = Map.groupBy(all, ({ fault }) => fault)
  const rows = [...byFault].map(([{ what, workaround, issue }, locations]) => {
    const languages = locations.map(({ language }) => language).join(', ')
    const number = issue === undefined ? 'none found' : `[${issue.split('/').at(-1)}](${issue})`
    return `| ${locations[0]?.generator} | ${languages} | ${what} | ${workaround} | ${number} |`
  })
  return [
    '## Known faults of the generators\n',
    'The examples work around these faults, most of which are known:\n',
    '| Generator | Language | Fault | Workaround | Issue |',
    '|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

function fileText(name: string, text: string): string {
  const kind =
    { '.ts': 'typescript', '.mjs': 'javascript', '.py': 'python', '.rs': 'rust', '.kt': 'kotlin' }[extname(name)] ??
    extname(name).slice(1).replace('mod', 'text')
  return `\`${name}\`:\n\n\`\`\`${kind}\n${text.trimEnd()}\n\`\`\`\n`
}

function programText(name: string): Promise<string> {
  return readFile(join(programsFolder, name), 'utf8')
}

if (import.meta.main) process.stdout.write(await guideText())
