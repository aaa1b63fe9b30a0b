/** Types for the parts of Eleventy that are used here; it ships without types. */
declare module '@11ty/eleventy' {
  interface EleventyConfig {
    setLibrary(language: 'md', library: { render(text: string, data: { path: string }): string; disable(): void }): void
    addTemplate(path: string, content: string, data: Readonly<Record<string, unknown>>): void
  }

  export default class Eleventy {
    constructor(input: string, output: string, options: { quietMode: boolean; config(config: EleventyConfig): void })
    disableLogger(): void
    write(): Promise<void>
    toJSON(): Promise<{ content: string }[]>
  }
}
