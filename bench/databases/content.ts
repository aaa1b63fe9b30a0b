/** The content of the benchmark databases, as API requests. */

/** A page has a thousand blocks: 100 list items, each with 9 paragraphs. */
export const BLOCKS_PER_PAGE = 1000
const ITEMS_PER_PAGE = 100
const PARAGRAPHS_PER_ITEM = 9

function text(content: string): object {
  return { rich_text: [{ text: { content } }] }
}

/** Body of `createPage`. @param parent id of a page, or undefined for the top of the workspace */
export function pageOfBlocks(number: number, parent?: string): object {
  return {
    ...(parent === undefined ? {} : { parent: { page_id: parent } }),
    properties: { title: { title: [{ text: { content: `Hull survey ${number}` } }] } },
    children: Array.from({ length: ITEMS_PER_PAGE }, (_item, index) => ({
      bulleted_list_item: {
        ...text(`Frame ${index} of hull ${number}: planking, fastenings and caulking looked at`),
        children: Array.from({ length: PARAGRAPHS_PER_ITEM }, (_paragraph, line) => ({
          paragraph: text(`Finding ${line}: no rot within reach of the awl`),
        })),
      },
    })),
  }
}

/** Body of `createPage` with one paragraph. */
export function smallPage(parent: string, number: number): object {
  return {
    parent: { page_id: parent },
    properties: { title: { title: [{ text: { content: `Note ${number}` } }] } },
    children: [{ paragraph: text('Order two liters of linseed oil before the weekend') }],
  }
}

/** Body of `appendBlockChildren` with blocks of three kinds. */
export function manyBlocks(count: number): object {
  return {
    children: Array.from({ length: count }, (_block, index) => {
      if (index % 3 === 0) return { paragraph: text(`Plank ${index} has been steamed, bent and clamped for the night`) }
      if (index % 3 === 1)
        return { type: 'to_do', to_do: { ...text(`Drive the trunnels of plank ${index}`), checked: index % 2 === 0 } }
      return {
        bulleted_list_item: {
          rich_text: [
            { text: { content: 'Supplier of plank ' } },
            { text: { content: String(index), link: { url: 'https://timber.example/larch' } }, annotations: { bold: true } },
          ],
        },
      }
    }),
  }
}

/** Body of `appendBlockChildren` with one block that can have children. */
export function oneItem(): object {
  return { children: [{ bulleted_list_item: text('One level further down') }] }
}

/** Body of `updateBlock` for a paragraph. */
export function newText(words: string): object {
  return { paragraph: text(`Finding: ${words}, to be looked at again in spring`) }
}
