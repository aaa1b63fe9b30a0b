/** Both linters find nothing. */

import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lintBundle, lintSources } from '../../scripts/lint/problems.ts'
import { report } from '../../scripts/lint/report.ts'
import { projectRoot, specFolder } from './support/files.ts'

test('the sources are clean (Redocly)', async () => {
  expect(report(await lintSources(join(specFolder, 'openapi.yaml')))).toBe('Lint: no errors, no warnings.')
})

test('the bundle follows the house law (Spectral)', async () => {
  expect(report(await lintBundle(join(projectRoot, 'generated/openapi.yaml'), specFolder))).toBe('Lint: no errors, no warnings.')
})
