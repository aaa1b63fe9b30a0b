/** A brand: its overlay and the files that the overlay refers to. It changes the names in the contract and the look of the site. */

import { readFile } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import { serverAddressOf, operationsOf, type Document } from '../generate/document.ts'
import { ContractFaults } from '../generate/faults.ts'
import { readGuides, type WrittenGuide } from '../docs/pages/guides.ts'
import type { Look } from '../docs/look.ts'
import { contrastOf, PAPERS } from './colors.ts'
import { Overlay, type BrandSettings } from './overlay.ts'
import type { FilePath } from './source.ts'
import { withBrandedValues } from './values.ts'
import { BrandWords } from './words.ts'

/** The contrast that WCAG level AA requires for text. */
const CONTRAST_MIN = 4.5

export interface BrandedContract {
  /** The contract of the newest release. */
  readonly document: Document
  /** The contracts of the given releases, newest first. */
  readonly releases: readonly Document[]
  readonly words: BrandWords
  /** The address of the service, without a trailing slash. */
  readonly address: string
}

export class Brand {
  readonly settings: BrandSettings
  readonly look: Pick<Look, 'style' | 'logo'>
  readonly guides: readonly WrittenGuide[]
  readonly #overlay: Overlay

  private constructor(overlay: Overlay, logo: Look['logo'], guides: readonly WrittenGuide[]) {
    const { colours: colors } = overlay.brand
    const style = colors === undefined ? '' : `\n:root {\n  --link: light-dark(${colors.light}, ${colors.dark});\n}\n`
    this.settings = overlay.brand
    this.look = { style, logo }
    this.guides = guides
    this.#overlay = overlay
  }

  /**
   * Reads the overlay of a brand and the files that it refers to.
   * @throws ContractFaults with the locations of all faults
   */
  static async read(file: string): Promise<Brand> {
    const overlay = await Overlay.read(file)
    const { logo, guides = {} } = overlay.brand
    const faults = lowContrastColors(overlay)
    const beside = (name: string): string => join(dirname(file), name)
    const fault = (path: FilePath, what: string): number => faults.push(overlay.source.fault(['x-brand', ...path], what))
    const picture = logo === undefined ? undefined : await readPicture(beside(logo))
    if (logo !== undefined && picture === undefined) fault(['logo'], `The file ${logo} does not exist.`)
    const written = guides.folder === undefined ? [] : await readGuides(beside(guides.folder))
    if (guides.folder !== undefined && written.length === 0)
      fault(['guides', 'folder'], `The folder ${guides.folder} contains no guides.`)
    if (faults.length > 0) throw new ContractFaults(faults)
    return new Brand(overlay, picture, written)
  }

  /**
   * Applies the overlay and the names of the brand to contracts.
   * @param releases newest first; only the first has to match all actions
   * @throws ContractFaults for actions that do not fit, and for names that would change requests or responses
   */
  async apply([contract, ...older]: readonly [Document, ...Document[]]): Promise<BrandedContract> {
    const { name, word, package: packageName = `@${word.toLowerCase()}/client`, schemas = '', ids = {} } = this.settings
    this.#refuseOtherIds(contract)
    const changed = await this.#overlay.apply(contract)
    const address = serverAddressOf(changed)
    if (!URL.canParse(address))
      throw new ContractFaults([
        this.#overlay.source.fault(['actions'], 'After these actions, the first server has no absolute address.'),
      ])
    const words = new BrandWords([contract, ...older], { name, word, package: packageName, schemas, ids, address })
    const document = words.document(withBrandedValues(changed, word))
    this.#refuseOtherPaths(contract, document)
    const releases = [document]
    for (const one of older) releases.push(words.document(withBrandedValues(await this.#overlay.applyWhereItFits(one), word)))
    return { document, releases, words, address }
  }

  /** @throws ContractFaults if a guide to be left out does not exist */
  refuseUnknownGuides(known: readonly string[]): void {
    const { without = [] } = this.settings.guides ?? {}
    const faults = without.flatMap((slug, location) =>
      known.includes(slug)
        ? []
        : [
            this.#overlay.source.fault(
              ['x-brand', 'guides', 'without', location],
              `${slug} is not a guide. The guides are ${known.join(', ')}.`,
            ),
          ],
    )
    if (faults.length > 0) throw new ContractFaults(faults)
  }

  /** @throws ContractFaults for an id that is neither an operationId nor a prefix; others may be part of requests or responses */
  #refuseOtherIds(contract: Document): void {
    const known = new Set(operationsOf(contract).map(({ operation }) => operation.operationId))
    const faults = Object.keys(this.settings.ids ?? {})
      .filter((id) => !id.endsWith('_') && !known.has(id))
      .map((id) =>
        this.#overlay.source.fault(
          ['x-brand', 'ids', id],
          `${id} is neither an operation nor a prefix that ends with an underscore.`,
        ),
      )
    if (faults.length > 0) throw new ContractFaults(faults)
  }

  /** @throws ContractFaults if ids or actions have added operations, which the service does not have */
  #refuseOtherPaths(contract: Document, branded: Document): void {
    const known = new Set(operationsOf(contract).map(({ method, path }) => `${method} ${path}`))
    const strange = operationsOf(branded).filter(({ method, path }) => !known.has(`${method} ${path}`))
    if (strange.length > 0)
      throw new ContractFaults(
        strange.map(({ method, path }) =>
          this.#overlay.source.fault(
            [],
            `This action would add the operation ${method.toUpperCase()} ${path}, which the service does not have.`,
          ),
        ),
      )
  }
}

async function readPicture(file: string): Promise<Look['logo']> {
  const bytes = await readFile(file).catch(() => undefined)
  return bytes && { name: `logo${extname(file)}`, bytes }
}

/** Faults for colors with too little contrast. */
function lowContrastColors({ brand: { colours: colors }, source }: Overlay): string[] {
  if (colors === undefined) return []
  return (['light', 'dark'] as const).flatMap((side) => {
    const contrast = Math.min(...PAPERS[side].map((paper) => contrastOf(colors[side], paper)))
    if (contrast >= CONTRAST_MIN) return []
    return [
      source.fault(
        ['x-brand', 'colours', side],
        `${colors[side]} has a contrast of ${contrast.toFixed(1)} to the ${side} page; readers need ${CONTRAST_MIN}.`,
      ),
    ]
  })
}
