import { type Explanation, type InWorkspace, bullets } from './phrases.ts'
import { formatCommand, suggestPull } from '../../core/suggested-command.ts'
import { pluralize } from '../../core/text/pluralize.ts'
import { envVariable } from '../../core/workspace-name.ts'

export const fileErrors = {
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
  PROMPT_UNKNOWN: (d: InWorkspace & { problems: readonly string[] }): Explanation => ({
    why: `The lock has no prompt for these names in the code:${bullets(d.problems)}`,
    fix: `Correct the name, or pin the prompt with ${npxCommand(d, 'pull')}.`,
  }),
  TEXT_UNPAIRED_SURROGATE: (d: { problems: readonly string[] }): Explanation => ({
    why: `These texts contain an unpaired surrogate, which a UTF-8 file can't store:${bullets(d.problems)}`,
    fix: 'Correct the text in the workspace. Often an emoji was cut in half.',
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
  LOCK_MISSING: (d: InWorkspace & { path: string }): Explanation => ({
    why: `There is no lock at ${d.path}.`,
    fix: suggestPull(d.workspace),
  }),
  LIVE_UNREAD: (d: InWorkspace & { path: string; slugs: readonly string[] }): Explanation => ({
    why: `${d.path} uses prompts of which the lock has only the staging version:${bullets(d.slugs)}`,
    fix: `Run ${npxCommand(d, 'pull')} with a live key. For staging, import \`virtual:${d.workspace}/staging\` or set ${envVariable(d.workspace, 'ENVIRONMENT')}=test.`,
  }),
  LOCK_CONFLICTED: (
    /** `losesHold`: whether a pull can't merge the sides without losing a hold. */
    d: InWorkspace & { path: string; line: number; losesHold?: boolean },
  ): Explanation => ({
    why: `${d.path} has an unresolved merge conflict (line ${d.line}).`,
    fix:
      d.losesHold === true
        ? `Resolve it by hand, because a merge would lose a hold: keep one whole entry of each prompt, then run ${npxCommand(d, 'pull')}.`
        : `Run ${npxCommand(d, 'pull')}, which merges both sides, or resolve it by hand.`,
  }),
  LOCK_SYNTAX: (d: InWorkspace & { path: string }): Explanation => ({
    why: `${d.path} is not valid JSON.`,
    fix: `Restore it from version control, or delete it and run ${npxCommand(d, 'pull')}.`,
  }),
  LOCK_TOO_NEW: (d: { path: string; found: string; known: number }): Explanation => ({
    why: `${d.path} has lockVersion ${d.found}; this version of unplugin-prompts supports ${d.known}.`,
    fix: 'Upgrade unplugin-prompts. The lock is unchanged.',
  }),
  LOCK_INVALID: (d: InWorkspace & { path: string; problems: readonly string[] }): Explanation => ({
    why: `${d.path} is not a valid lock file:${bullets(d.problems)}`,
    fix: `Restore it from version control, or delete it and run ${npxCommand(d, 'pull')}.`,
  }),
  LOCK_EDITED: (d: InWorkspace & { path: string; slugs: readonly string[] }): Explanation => ({
    why: `${d.path} was changed by hand; the hashes of these entries don't match:${bullets(d.slugs)}`,
    fix: `Restore the lock from version control, or run ${npxCommand(d, 'pull')}, which replaces these entries unless one is held. Edit prompts in the prompt service.`,
  }),
  LOCK_UNFIT: (d: InWorkspace & { path: string; differences: readonly string[] }): Explanation => ({
    why: `${d.path} does not match the options:${bullets(d.differences)}`,
    fix: suggestPull(d.workspace),
  }),
  LOCK_BUSY: (d: { path: string; lockfile: string; pid: string }): Explanation => ({
    why: `Process ${d.pid} is writing ${d.path}.`,
    fix: `Wait until it finishes, then try again. If it has ended, delete ${d.lockfile}.`,
  }),
  LOCK_CHANGED: (d: { path: string }): Explanation => ({
    why: `${d.path} changed after it was read, by another pull or by hand. Nothing was written.`,
    fix: 'Try again: that starts from the lock as it is now.',
  }),
  FILE_UNREADABLE: (d: { path: string; reason: string }): Explanation => ({
    why: `${d.path} can't be read: ${d.reason}.`,
    fix: 'Check that it is a file in UTF-8 and that you have permission to read it.',
  }),
  FILE_NOT_UTF8: (d: { path: string; encoding: string }): Explanation => ({
    why: `${d.path} is encoded as ${d.encoding}, not as UTF-8.`,
    fix: 'Save it as UTF-8. In Windows PowerShell, write it with `Set-Content -Encoding utf8` instead of `>`.',
  }),
  FILE_UNWRITABLE: (d: { path: string; reason: string }): Explanation => ({
    why: `${d.path} can't be written: ${d.reason}. It is unchanged.`,
    fix: 'Check the path, its permissions and the free disk space.',
  }),
  FILE_FOREIGN: (d: { path: string }): Explanation => ({
    why: `${d.path} exists and was not generated by unplugin-prompts. It is unchanged.`,
    fix: 'Move or delete it, or set another path in the options.',
  }),
  FILES_NOT_RESTORED: (d: { paths: readonly string[]; reason: string }): Explanation => ({
    why: `A write failed, and these files could not be restored (${d.reason}):${bullets(d.paths)}`,
    fix: 'Restore them from version control, such as with `git restore`, then pull again.',
  }),
}

/** A command with `npx`, in back-ticks. */
function npxCommand({ workspace }: InWorkspace, command: string): string {
  return `\`npx ${formatCommand(workspace, command)}\``
}
