/** The workspace file that is served by default. */
export const DEFAULT_FILE = 'prompts.workspace.yaml'

/** An example workspace file: two prompts, one with a staging version. */
export const EXAMPLE_WORKSPACE = `# A workspace for \`prompts serve\`, instead of an account at the prompt service.
prompts:
  - slug: support-triage
    folder: support
    model: gpt-5.1
    temperature: 0.2
    live: v1 # the label of a version below
    staging: v2 # the version for the test key
    versions:
      v1:
        system: |-
          You sort the tickets of a help desk. Answer in a {{ tone }} tone.
        user: |-
          {{ ticket }}
      v2:
        system: |-
          You sort the tickets of a help desk into billing, access and product.
          Answer in a {{ tone }} tone, in one sentence.
        user: |-
          {{ ticket }}

  - slug: sales-follow-up
    folder: sales
    model: gpt-5.1
    temperature: 0.7
    live: v1
    versions:
      v1:
        system: |-
          Write the e-mail that follows a first call about {{ product }}.
        user: |-
          Notes of the call: {{ notes }}
`
