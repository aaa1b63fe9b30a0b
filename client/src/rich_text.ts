import type { AnnotationsRequest, TextRichTextItemRequest } from '../../generated/types.ts'

/** A rich text item under construction. Its methods return copies, and it can be sent as it is. */
export class Text {
  readonly type = 'text'
  readonly text: TextRichTextItemRequest['text']
  readonly annotations: AnnotationsRequest

  constructor(text: TextRichTextItemRequest['text'], annotations: AnnotationsRequest = {}) {
    this.text = text
    this.annotations = annotations
  }

  bold(): Text {
    return this.#with({ bold: true })
  }

  italic(): Text {
    return this.#with({ italic: true })
  }

  strikethrough(): Text {
    return this.#with({ strikethrough: true })
  }

  underline(): Text {
    return this.#with({ underline: true })
  }

  code(): Text {
    return this.#with({ code: true })
  }

  color(color: NonNullable<AnnotationsRequest['color']>): Text {
    return this.#with({ color })
  }

  link(url: string): Text {
    return new Text({ ...this.text, link: { url } }, this.annotations)
  }

  #with(annotations: AnnotationsRequest): Text {
    return new Text(this.text, { ...this.annotations, ...annotations })
  }
}

/** A text to send: `[text('Low water at '), text('nine').bold()]`. */
export function text(content: string): Text {
  return new Text({ content })
}

/** Rich text as it was read, without formatting. */
export function plainText(richText: readonly { readonly plain_text: string }[]): string {
  return richText.map(({ plain_text }) => plain_text).join('')
}
