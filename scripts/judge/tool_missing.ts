/** The tool, or its runtime, is not on this machine; the message is a sentence for the user. */
export class ToolMissing extends Error {}
