/** What a brand changes of the site besides the contract that it is made from. */

export interface Look {
  /** Gives texts the names of the brand. */
  text(text: string): string
  /** Where the forms of operations send their calls, unless a service shows the site itself. */
  readonly address: string
  /** Where the site is published, with a slash at the end; below the address of the contract's first server, unless somebody names another. */
  readonly siteAddress?: string | undefined
  /** CSS behind the site's own. */
  readonly style: string
  /** The picture beside the name, which is the icon of the site too. */
  readonly logo: { readonly name: string; readonly bytes: Uint8Array } | undefined
}

export const ownLook: Look = { text: (text) => text, address: 'http://127.0.0.1:4000', style: '', logo: undefined }
