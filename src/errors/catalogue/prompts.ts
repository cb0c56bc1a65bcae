import type { Explanation, InWorkspace } from './explanation.ts'
import { bullets, npxCommand } from './phrases.ts'
import { pluralize } from '../../core/text/pluralize.ts'

/** Errors about the content of the workspace. */
export const promptErrors = {
  PROMPT_NOT_FOUND: (d: { slugs: readonly string[] }): Explanation => ({
    why: `The service lists these prompts, but returns 404 for them:${bullets(d.slugs)}`,
    fix: 'Pull again in a moment. If this continues, exclude them and report it to the operator of the service.',
  }),
  SLUG_DUPLICATE: (d: { slugs: readonly string[] }): Explanation => ({
    why: `The service lists these slugs more than once:${bullets(d.slugs)}`,
    fix: 'Rename or remove the duplicates in the workspace.',
  }),
  SLUG_UNSAFE: (d: { slugs: readonly string[] }): Explanation => ({
    why: `These slugs can't be part of a URL, so the prompts can't be read:${bullets(d.slugs)}`,
    fix: 'Rename them in the workspace, or leave them out with `exclude`.',
  }),
  SLUG_UNKNOWN: (d: {
    slugs: readonly string[]
    where: string
    known?: readonly string[]
  }): Explanation => ({
    why: `${d.where} has no prompt called:${bullets(d.slugs)}`,
    fix: 'Check the spelling, and whether `include` and `exclude` select it.',
  }),
  TEXT_UNPAIRED_SURROGATE: (d: { problems: readonly string[] }): Explanation => ({
    why: `These texts contain an unpaired surrogate, which a UTF-8 file can't store:${bullets(d.problems)}`,
    fix: 'Fix the text in the workspace. Often an emoji was cut in half.',
  }),
  TEXT_HOLDS_KEY: (d: { problems: readonly string[] }): Explanation => ({
    why: `These texts contain something that looks like a key of the prompt service:${bullets(d.problems)}`,
    fix: 'Remove the key from the prompt and revoke it.',
  }),
  TOO_MANY_TOKENS: (d: { problems: readonly string[]; limit: number }): Explanation => ({
    why: `These prompts have more than ${pluralize(d.limit, 'variable token')}:${bullets(d.problems)}`,
    fix: 'Split the prompt, or leave it out with `exclude`. Nothing was written.',
  }),
  PULL_UNSETTLED: (d: { slugs: readonly string[]; rounds: number }): Explanation => ({
    why: `The workspace changed during the pull. After ${d.rounds} rounds, list and prompts still differ for:${bullets(d.slugs)}`,
    fix: 'Pull again when no prompts are being edited.',
  }),
  PULL_EMPTY: (d: InWorkspace & { held: string }): Explanation => ({
    why: `The service has no prompt that the options select, and ${d.held}.`,
    fix: `Check the key, \`include\` and \`exclude\`. If this is intended, run ${npxCommand(d, 'pull --allow-replace')}.`,
  }),
  PULL_UNRELATED: (
    d: InWorkspace & { count: number; known: number; path: string },
  ): Explanation => ({
    why: `The service lists ${pluralize(d.count, 'prompt')}, but none of the ${pluralize(d.known, 'prompt')} in ${d.path}.`,
    fix: `The key is probably of another workspace: check it and the address. If this is intended, run ${npxCommand(d, 'pull --allow-replace')}.`,
  }),
}
