import { expect, it } from 'vitest'
import { manifest } from '../../scripts/build/manifest.ts'
import { packageReadme } from '../../scripts/build/package_readme.ts'

const NAME = '@boats/workspace'

it('a publisher can rename the package, while its command and exports keep their names', async () => {
  const [theirs, ours] = await Promise.all([manifest(NAME, undefined), manifest(undefined, undefined)])
  expect(ours).toMatchObject({ name: 'workspace-service' })
  expect(theirs).toEqual({ ...ours, name: NAME })
})

it('the README of a renamed package uses the new name in imports and installation', async () => {
  const text = await packageReadme(NAME)
  expect(text).toContain(`from '${NAME}'`)
  expect(text).toContain(`\`${NAME}/testing\``)
  expect(text).toContain('npm install ./boats-workspace-0.1.0.tgz\nnpx --no -- workspace-service\n')
  expect(text).not.toMatch(/['`]workspace-service\/|workspace-service-\d/)
})
