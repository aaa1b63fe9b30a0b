import { execFile } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { onceInRun } from '../harness/once_in_run.ts'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '../..')

/** The package of the service, built and packed once in a run, with two pages for the reference. @returns its path */
export async function packedService(): Promise<string> {
  const folder = await onceInRun('package', async (packed) => {
    const [built, docs] = [`${packed}.built`, `${packed}.docs`]
    await mkdir(packed, { recursive: true })
    await mkdir(join(docs, 'objects'), { recursive: true })
    await writeFile(join(docs, 'index.html'), '<h1>Reference</h1><script>one()</script>')
    await writeFile(join(docs, 'SKILL.md'), '---\nname: workspace-service-api\n---\n')
    await writeFile(join(docs, 'objects/Page.html'), `<h1>Page</h1>${' '.repeat(2_000)}`)
    await run(process.execPath, [join(root, 'scripts/build.ts'), '--out', built, '--docs', docs])
    await run('npm', ['pack', '--silent', '--pack-destination', packed, built])
    await rm(built, { recursive: true })
  })
  return join(folder, 'workspace-service-0.1.0.tgz')
}
