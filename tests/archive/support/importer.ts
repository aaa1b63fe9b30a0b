import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { InProcessCommandLine } from '../../cli/support.ts'
import { makeDatabase, scratchFolder } from '../../harness/databases.ts'
import { resultsOf, type JsonObject } from '../../harness/json.ts'
import { startTestServer } from '../../harness/server.ts'
import { filesOf, makeZip, newPath } from './archives.ts'

export type Entries = Readonly<Record<string, string | Buffer>>

/** Imports archives into the example workspace, and returns their new content. */
export async function importer() {
  const store = await makeDatabase()
  const settings = { DATABASE_URL: store.url, FILES_URL: `file:${scratchFolder('files-')}` }
  const cli = new InProcessCommandLine(store.url, settings)
  await (await startTestServer(settings)).stop()
  const workspace = exampleWorkspace.workspace.id
  const importPath = (name: string, path: string): Promise<JsonObject> =>
    cli.json('workspace', 'import', path, '--workspace', workspace, '--name', name)
  return {
    cli,
    drop: () => store.drop(),
    importPath,
    importAs: async (name: string, entries: Entries): Promise<JsonObject> => importPath(name, await makeZip(entries)),
    names: async (): Promise<unknown[]> => resultsOf(await cli.json('workspace', 'list')).map(({ name }) => name),
    /** The result of an import, exported again. */
    async exported(name: string): Promise<Record<string, unknown>> {
      const path = newPath()
      await cli.json('workspace', 'export', workspace, path, '--format', 'markdown')
      const files = Object.entries(await filesOf(path))
      return Object.fromEntries(
        files.flatMap(([file, content]) => (file.startsWith(`${name}/`) ? [[file.slice(name.length + 1), content]] : [])),
      )
    },
  }
}
