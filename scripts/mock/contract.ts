/** The contract of the mock, and the names of its headers. */

import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { BrandedValues } from '../../server/contract/branded_values.ts'
import { HeaderNames } from '../../server/http/header_names.ts'
import type { Document } from '../generate/document.ts'

export interface MockedContract {
  readonly document: Document
  readonly headers: HeaderNames
}

/**
 * The contract of this project, or that of a brand.
 * @param headerBrand a second prefix for headers; ignored with an overlay
 * @param overlay the file of a brand, whose prefix is then the only one
 * @throws ContractFaults for an overlay that cannot be used
 */
export async function contractFor(headerBrand: string, overlay: string | undefined): Promise<MockedContract> {
  const text = await readFile(new URL('../../generated/openapi.json', import.meta.url), 'utf8')
  const document = JSON.parse(text) as Document
  if (overlay === undefined) {
    const shown = BrandedValues.of(headerBrand)
      ? (await import('../brand/values.ts')).withBrandedValues(document, headerBrand)
      : document
    return { document: shown, headers: new HeaderNames(headerBrand) }
  }
  const { Brand } = await import('../brand/brand.ts')
  const brand = await Brand.read(resolve(overlay))
  const branded = await brand.apply([document])
  return { document: branded.document, headers: new HeaderNames(brand.settings.word, true) }
}
