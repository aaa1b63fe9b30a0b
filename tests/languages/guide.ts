/** The guide on clients in other languages, made of the kits that `npm run test:languages` tries: its recipes are what is run. */

import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { Kit } from './kit.ts'
import { kits, programsFolder } from './kits.ts'

const INTRODUCTION = `# Clients in other languages

Any service has the contract in two forms for generators of clients: \`/openapi.sdk.yaml\` in OpenAPI 3.0, and \`/openapi.sdk31.yaml\` in
OpenAPI 3.1. They say what the contract says without what most languages cannot express: a union is one object with the properties of all
its variants, whose \`type\` says which are there, and every error is an \`ErrorObject\`. They accept everything that the service accepts or
returns; some mistakes are found by the service only.

Each recipe below is run as it stands by \`npm run test:languages\`: the client is generated and compiled, and the program makes its calls to
a running service with the demo workspace. To follow one, save its files in an empty folder, beside the form that it reads:

\`\`\`sh
export SERVICE=https://workspace.example TOKEN=…   # npm start prints those of a service on your machine
curl -O $SERVICE/openapi.sdk.yaml -O $SERVICE/openapi.sdk31.yaml
\`\`\`

Answers may gain words at any time, such as kinds of blocks: set your generator to let unknown ones pass where it can.
`

/** The text of the guide, in Markdown. */
export async function guideText(): Promise<string> {
  const bodies = ['page.json', 'by_title.json', 'by_nothing.json']
  const shown = await Promise.all(bodies.map(async (name) => fileText(name, await programText(name))))
  const recipes = await Promise.all(kits.map(recipe))
  return [INTRODUCTION, 'Bodies that some of the programs send:\n', ...shown, ...recipes, faultsTable()].join('\n')
}

async function recipe({ name, version, language, files, install, generate, compile, run }: Kit): Promise<string> {
  const own = Object.entries(files).filter(([file, source]) => 'text' in source || extname(file) !== '.json')
  const shown = await Promise.all(
    own.map(async ([file, source]) => fileText(file, 'text' in source ? source.text : await programText(source.program))),
  )
  const commands = [...install, ...generate, ...compile, run].join('\n')
  return [`## ${language}: ${name} ${version}\n`, ...shown, `\`\`\`sh\n${commands}\n\`\`\`\n`].join('\n')
}

/** Each fault once, with all languages that have it. */
function faultsTable(): string {
  const all = kits.flatMap(({ name, version, language, faults = [] }) =>
    faults.map((fault) => ({ generator: `${name} ${version}`, language, fault })),
  )
  const byFault = Map.groupBy(all, ({ fault }) => fault)
  const rows = [...byFault].map(([{ what, workaround, issue }, places]) => {
    const languages = places.map(({ language }) => language).join(', ')
    const number = issue === undefined ? 'none found' : `[${issue.split('/').at(-1)}](${issue})`
    return `| ${places[0]?.generator} | ${languages} | ${what} | ${workaround} | ${number} |`
  })
  return [
    '## What the generators get wrong\n',
    'The recipes work around these faults, most of which their makers know:\n',
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
