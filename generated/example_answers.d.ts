// The answers that the contract shows as examples.
// Made from spec/ by `npm run generate`. Do not edit.

import type { ExampleNames } from './example_names.ts';

/** Bodies, by the names of examples. */
export declare const exampleBodies: Readonly<Record<string, unknown>>;

/** The answers of each operation: status, name, body and media type. The first one is what it answers unless asked for another. */
export declare const exampleAnswers: Readonly<
  Record<keyof ExampleNames, readonly (readonly [status: number, name: string, example: string, mediaType: string])[]>
>;
