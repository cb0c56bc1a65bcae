import type { ErrorCode } from '../../errors/catalogue.ts'

/**
 * More than an error message has room for: what leads to an error, and what else helps. In Markdown,
 * one paragraph each. A code that its own message explains has no entry.
 */
export const background: Partial<Readonly<Record<ErrorCode, string>>> = {
  KEY_MISSING:
    'The key is looked for in the process environment first, then in `.env.<mode>.local`, `.env.<mode>`, `.env.local` and `.env`. A build needs no key if the lock is committed: commit `prompts.lock.json`, and set `PROMPTS_PULL=never` in CI so that a missing lock fails as LOCK_MISSING.',
  KEY_PUBLISHED:
    'Bundlers copy variables with public prefixes (`VITE_`, `NEXT_PUBLIC_`, `PUBLIC_` and others) into browser code. The same value in such a variable is readable by every visitor, so no build starts with it.',
  KEYS_OF_TWO_WORKSPACES:
    'The list of the service shows every prompt of a workspace with its live version, for either key. A pull with both keys reads both lists, twice if they differ, since something may be published in between.',
  SERVICE_UNREACHABLE:
    '`HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` are used, in lower case too, except for addresses of this machine. `prompts check --offline` and builds with a lock make no request.',
  CERTIFICATE_INVALID:
    'Companies often inspect traffic with their own certificate authority, which Node does not know. Export its certificate as a PEM file and start with `NODE_EXTRA_CA_CERTS=/path/to/company.pem`. Certificates are always verified; there is no option to skip it.',
  RATE_LIMITED:
    'A pull reads every prompt once, because drafts and temperatures can change under the same version label. `--changed` reads only prompts whose entry in the list differs. `prompts list --usage` shows prompts that no code uses; `exclude` saves their reads.',
  PULL_UNSETTLED:
    'A lock is one consistent moment of the workspace. A pull lists the prompts, reads them, and lists again; if something changed in between, it reads that again, up to three times.',
  LOCK_CONFLICTED:
    'Two branches changed the same or neighbouring prompts. A pull takes the prompts that only one branch changed from the lock, and reads those that both changed from the service.',
  LOCK_EDITED:
    'Every entry has a hash over its exact text, so the app ships the text that a reviewer saw. Editors that change text on save, or a search and replace, break the hash; formatting the JSON does not. A pull replaces the edited prompts with those of the service. If one of them is held, it leaves the lock unchanged. To write a text here, use `prompts edit`.',
  LOCK_UNFIT:
    'The options `include` and `exclude` say which prompts the app pins. The lock is from before they changed.',
  LIVE_UNREAD:
    'A test key reads the live version only of prompts without a staging version. So a lock that was pulled with a test key alone can have a prompt whose live version nobody has read.',
  LOCK_BUSY:
    'Only one process writes a lock at a time, for less than a second; the others wait up to 15 seconds. The lockfile of a process that has died is taken over after ten seconds.',
  LOCK_CHANGED:
    'Several pulls may read the service at the same time. The first to write wins. The others would undo its changes, so they are refused.',
  FILE_FOREIGN:
    'Every generated file carries a mark. A file without one may be yours, so it is never overwritten. If a tool removed the mark, delete the file and generate it again.',
  MODULE_REFUSED:
    'Prompts are data. Generated code is parsed before it is written or served, and refused if it contains anything but constant texts and variables. This protects the app from prompt text that tries to become code.',
  REVISION_UNREADABLE:
    'A shallow clone has few revisions: fetch the others with `git fetch --unshallow`, in GitHub Actions with `fetch-depth: 0`.',
  TEST_IN_PRODUCTION:
    "A lock that was pulled with a test key alone, or `environment: 'test'`, selects staging prompts, which nobody has published. Production builds warn about them, or fail with `production: 'error'`.",
  PROMPTS_IN_CLIENT:
    'Everybody who opens the app can read its browser code. The error lists the files from the importing one up to an entry of the app; after `next build`, the prompts in code and source maps for browsers. Render the prompt on the server and send the result instead.',
  PREFIX_PUBLISHES_KEY:
    'This is checked even if no key is set: once it is set, for example in CI, the next build would publish it.',
  KEY_IN_BUNDLE:
    "A build that knows the key searches every file that it emits for it. Common causes are `define: { 'process.env': process.env }`, an imported `.env` file, and a key written into the source.",
}
