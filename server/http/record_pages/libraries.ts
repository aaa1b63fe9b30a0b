import { TimeSlice } from '../../kernel/yield_to_event_loop.ts'
import type { Html } from '../oauth/html.ts'
import type { Highlighter } from './highlighter.ts'
import type { MathRenderer } from './math_renderer.ts'

/** Loaded when the first page needs them. Most processes never do. */
const loaded: {
  math?: typeof import('./math_renderer.ts')
  code?: typeof import('./highlighter.ts')
} = {}

/** KaTeX and the highlighter, for one page. */
export class Libraries {
  #math: MathRenderer | undefined
  #code: Highlighter | undefined
  #lacksMath = false
  #lacksCode = false

  /** An equation as MathML; undefined while KaTeX is not loaded, or if the equation is invalid or exceeds the limit of the page. */
  equation(expression: string, isBlock: boolean): Html | undefined {
    this.#lacksMath = loaded.math === undefined
    if (loaded.math) this.#math ??= new loaded.math.MathRenderer()
    return this.#math?.render(expression, isBlock)
  }

  /** Highlighted code; undefined while the highlighter is not loaded, or if the language is unknown or the code too long. */
  highlighted(code: string, language: string): Html | undefined {
    this.#lacksCode = loaded.code === undefined
    if (loaded.code) this.#code ??= new loaded.code.Highlighter()
    return this.#code?.highlight(code, language)
  }

  /** Loads the libraries that the page lacked. @returns whether the page must be rendered again */
  async load(): Promise<boolean> {
    const isLacking = this.#lacksMath || this.#lacksCode
    if (this.#lacksMath) loaded.math = await import('./math_renderer.ts')
    if (this.#lacksCode) loaded.code = await import('./highlighter.ts')
    return isLacking
  }
}

/** Renders parts one after the other, and lets other requests run in between. */
export async function renderParts<Part>(parts: readonly Part[], render: (part: Part) => Html): Promise<Html[]> {
  const slice = new TimeSlice()
  const rendered: Html[] = []
  for (const part of parts) {
    rendered.push(render(part))
    if (slice.isOver) await slice.next()
  }
  return rendered
}
