// Made by unplugin-prompts from the lock of pinned prompts. Do not edit: `npx prompts pull` writes it.
// sha256-DTm+0qMMrhlCazEmH2b8ziF6zbl7NZSdOLQwa2gja2Y=

declare module "virtual:prompts" {
    import type { Prompt } from "unplugin-prompts/runtime";
    export { PromptVariableError, toAISDK, toAnthropic, toOpenAI, toOpenAIResponses } from "unplugin-prompts/runtime";
    export type { OpenAIChat, OpenAIResponses, Prompt, PromptMessage, PromptValue, RenderedPrompt, SystemAndMessages } from "unplugin-prompts/runtime";

    /** Every pinned prompt, under its slug and under its identifier. */
    export interface Prompts {
        /**
         * engineering · claude-sonnet-4-5 · v14
         *
         * ```text
         * You review pull requests in {{ language }} for the engineers of Northwind Desk. Look for
         * faults that a test run would not show: races, missing authorization, unbounded queries,
         * errors that are caught and dropped, text that reaches HTML unescaped.
         * ```
         */
        readonly "code-review": Prompt<"code-review", "v14", "language" | "github.ref" | "description" | "diff">;
        /**
         * engineering · claude-sonnet-4-5 · v14
         *
         * ```text
         * You review pull requests in {{ language }} for the engineers of Northwind Desk. Look for
         * faults that a test run would not show: races, missing authorization, unbounded queries,
         * errors that are caught and dropped, text that reaches HTML unescaped.
         * ```
         */
        readonly "codeReview": Prompt<"code-review", "v14", "language" | "github.ref" | "description" | "diff">;
        /**
         * content · gpt-5-mini · v4
         *
         * ```text
         * Write {{ count }} subject lines for a newsletter of Northwind Desk.
         * Topic: {{ topic }}
         * Product: {{ product }}
         * ```
         */
        readonly "email-subject-lines": Prompt<"email-subject-lines", "v4", "count" | "topic" | "product" | "audience">;
        /**
         * content · gpt-5-mini · v4
         *
         * ```text
         * Write {{ count }} subject lines for a newsletter of Northwind Desk.
         * Topic: {{ topic }}
         * Product: {{ product }}
         * ```
         */
        readonly "emailSubjectLines": Prompt<"email-subject-lines", "v4", "count" | "topic" | "product" | "audience">;
        /**
         * content · gpt-5.1 · v6
         *
         * ```text
         * You turn merged changes into the release notes that customers of {{ product }} read.
         * Sort what you keep under "New", "Better" and "Fixed", in that order, and leave out a
         * heading that has nothing under it. Each entry is one sentence about what people can do
         * ```
         */
        readonly "release-notes": Prompt<"release-notes", "v6", "product" | "release" | "changes">;
        /**
         * content · gpt-5.1 · v6
         *
         * ```text
         * You turn merged changes into the release notes that customers of {{ product }} read.
         * Sort what you keep under "New", "Better" and "Fixed", in that order, and leave out a
         * heading that has nothing under it. Each entry is one sentence about what people can do
         * ```
         */
        readonly "releaseNotes": Prompt<"release-notes", "v6", "product" | "release" | "changes">;
        /**
         * sales · gpt-5.1 · v11
         *
         * ```text
         * You write the e-mail that a Northwind Desk account manager sends the day after a first
         * call about {{ product }}. It should read as if one person wrote it to one person.
         * - Open with something the customer said in the call, not with thanks for their time.
         * ```
         */
        readonly "sales-follow-up": Prompt<"sales-follow-up", "v11", "product" | "contact" | "call_notes">;
        /**
         * sales · gpt-5.1 · v11
         *
         * ```text
         * You write the e-mail that a Northwind Desk account manager sends the day after a first
         * call about {{ product }}. It should read as if one person wrote it to one person.
         * - Open with something the customer said in the call, not with thanks for their time.
         * ```
         */
        readonly "salesFollowUp": Prompt<"sales-follow-up", "v11", "product" | "contact" | "call_notes">;
        /**
         * engineering · gpt-5-mini · v3
         *
         * ```text
         * You explain PostgreSQL queries to support agents who can read a table but write no SQL.
         * The next message holds one query.
         * Answer in three parts, each under its heading:
         * ```
         */
        readonly "sql-explainer": Prompt<"sql-explainer", "v3", never>;
        /**
         * engineering · gpt-5-mini · v3
         *
         * ```text
         * You explain PostgreSQL queries to support agents who can read a table but write no SQL.
         * The next message holds one query.
         * Answer in three parts, each under its heading:
         * ```
         */
        readonly "sqlExplainer": Prompt<"sql-explainer", "v3", never>;
        /**
         * support · claude-sonnet-4-5 · v8
         *
         * ```text
         * You draft replies for the support team of {{ product }}. A person reads, edits and sends
         * each draft, so leave nothing for them to guess.
         * How to write:
         * ```
         */
        readonly "support-reply": Prompt<"support-reply", "v8", "product" | "customer_name" | "knowledge" | "ticket">;
        /**
         * support · claude-sonnet-4-5 · v8
         *
         * ```text
         * You draft replies for the support team of {{ product }}. A person reads, edits and sends
         * each draft, so leave nothing for them to guess.
         * How to write:
         * ```
         */
        readonly "supportReply": Prompt<"support-reply", "v8", "product" | "customer_name" | "knowledge" | "ticket">;
        /**
         * support · gpt-5.1 · v22
         *
         * ```text
         * You triage incoming tickets for Northwind Desk. Read one ticket and decide who should
         * handle it and how soon. You do not answer the customer.
         * Queues:
         * ```
         */
        readonly "support-triage": Prompt<"support-triage", "v22", "tone" | "ticket">;
        /**
         * support · gpt-5.1 · v22
         *
         * ```text
         * You triage incoming tickets for Northwind Desk. Read one ticket and decide who should
         * handle it and how soon. You do not answer the customer.
         * Queues:
         * ```
         */
        readonly "supportTriage": Prompt<"support-triage", "v22", "tone" | "ticket">;
        /**
         * content · gemini-2.5-pro · v17
         *
         * ```text
         * You translate help articles of {{ product }} into {{ language }} for readers who use the
         * product every day and never asked for marketing.
         * Keep Markdown, links, code and the names of buttons in **bold** exactly where they are.
         * ```
         */
        readonly "translate-article": Prompt<"translate-article", "v17", "product" | "language" | "glossary" | "article">;
        /**
         * content · gemini-2.5-pro · v17
         *
         * ```text
         * You translate help articles of {{ product }} into {{ language }} for readers who use the
         * product every day and never asked for marketing.
         * Keep Markdown, links, code and the names of buttons in **bold** exactly where they are.
         * ```
         */
        readonly "translateArticle": Prompt<"translate-article", "v17", "product" | "language" | "glossary" | "article">;
    }

    export const prompts: Prompts;
}

declare module "virtual:prompts/all" {
    import type { Prompts } from "virtual:prompts";
    const prompts: Prompts;
    // @ts-ignore: an ES module may not, but what is declared here has no form
    export = prompts;
}
//# sourceMappingURL=prompts.d.ts.map
