/** The numbers of the examples that differ from the specifications. */
interface Numbers {
  readonly commonmark?: string
  readonly github?: string
}

/** By the reasons in the Markdown guide. */
export const differences: Readonly<Record<string, Numbers>> = {
  lines: {
    commonmark:
      '14 16 46 49 59 70 80-84 86-90 93 95-96 102-106 121 138 141 145 220 222-224 226 278-280 285 291 300 304 334-337 354 367 384 394 405 423 432 490-491 494 505 510 633-641 648-649',
  },
  indents: { commonmark: '1-3 5 7-8 18 36 48 69 85 100 107 111-118 134 137 225 231 253-254 257 264 270-274 276 286-290 312-313' },
  quotes: { commonmark: '6 128 228-230 232-233 235-238 240-241 243-244 247 249-252 259-260 292-293 320' },
  tables: { github: '199 202-204' },
  marks: { commonmark: '352 368-369 373 380 389 392 407-409 417-418 425-427 442 444-445 454 456-457 464-466 468-469 471-472' },
  tildes: { github: '491' },
  links: { commonmark: '518-519' },
  URLs: { commonmark: '484-487 492 495-496 498-504 520 522 572 574-575 578 580-581 596 598-599 601' },
  'bare URLs': { commonmark: '602 608 611', github: '622-635' },
  images: { commonmark: '579' },
  references: { commonmark: '23 33 192-196 198 200-208 210-211 213-218 317 527-545 549-550 552-571 573 576-577 582-589 591-593' },
  entities: { commonmark: '25-28 32 37-41' },
  html: { commonmark: '21 31 91 110 148-191 308-309 344 475-477 524 613-617 621 623 625 630-631 642-643', github: '657' },
  edges: { commonmark: '13' },
}

/** `1-3 5` -> 1, 2, 3, 5 */
export function numbersIn(text = ''): number[] {
  return [...text.matchAll(/(\d+)(?:-(\d+))?/g)].flatMap(([, first = '', last = first]) =>
    Array.from({ length: Number(last) - Number(first) + 1 }, (_, index) => Number(first) + index),
  )
}
