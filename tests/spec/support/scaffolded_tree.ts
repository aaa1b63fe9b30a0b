/** A copy of the tree with one addition of every kind that `npm run new` offers. */

import { cpSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { newestRelease } from '../../../generated/operations.ts'
import { begin } from '../../../scripts/new/begin.ts'
import { scratchFolder } from '../../harness/databases.ts'
import { projectRoot } from './files.ts'
import { linkModules, workspaces } from '../../../scripts/workspaces.ts'

const FOLDERS = ['spec', 'scripts', 'tests', 'generated', 'fakes', 'bench', 'examples', ...workspaces]
const FILES = ['package.json', 'tsconfig.json', 'README.md', 'redocly.yaml', '.spectral.js', '.oxfmtrc.json', 'vitest.config.ts']

function copyOfTree(): string {
  const folder = scratchFolder('new-')
  for (const part of [...FOLDERS, ...FILES]) cpSync(join(projectRoot, part), join(folder, part), { recursive: true })
  linkModules(folder)
  return folder
}

/** Every handwritten file of the tree, with its text. */
export function texts(folder: string): Map<string, string> {
  const paths = ['spec', 'tests', ...workspaces].flatMap((part) =>
    readdirSync(join(folder, part), { recursive: true, encoding: 'utf8' }).map((path) => `${part}/${path}`),
  )
  const files = paths.filter((path) => statSync(join(folder, path)).isFile())
  return new Map(files.map((path) => [path, readFileSync(join(folder, path), 'utf8')]))
}

const BEGUN: readonly (readonly string[])[] = [
  ['operation', 'retrievePennant', 'GET', '/v1/pennants/{pennant_id}', 'always'],
  ['operation', 'createPennant', 'POST', '/v1/pennants', 'always'],
  ['operation', 'listPennants', 'GET', '/v1/pennants', newestRelease],
  ['operation', 'updatePennant', 'PATCH', '/v1/pennants/{pennant_id}', 'always'],
  // Of an existing resource, response and parameter.
  ['operation', 'queryComments', 'POST', '/v1/comments/query', 'always'],
  ['operation', 'completeComment', 'POST', '/v1/comments/{comment_id}/complete', 'always'],
  ['schema', 'pages', 'PageStamp'],
  ['schema', 'shared', 'PageStampRequest'],
  ['block-type', 'tide_gauge'],
  ['property-type', 'tide_mark'],
  ['error', 'pennant_taken', '409'],
  ['error', 'pennant_name_error', '400'],
  ['event', 'comment.resolved'],
  ['event', 'page.pennant.awarded'],
  // Older versions of payloads lack this event.
  ['event', 'view.shared'],
  ['release', '2099-01-15'],
  ['table', 'pennants'],
  ['table', 'pennant_rolls'],
]

export interface BegunTree {
  readonly folder: string
  /** The texts before the additions. */
  readonly before: ReadonlyMap<string, string>
  readonly output: string
}

export function beginEverything(): BegunTree {
  const folder = copyOfTree()
  const before = texts(folder)
  return { folder, before, output: BEGUN.map((words) => begin(folder, words, false)).join('') }
}
