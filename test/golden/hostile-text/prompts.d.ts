// Made by unplugin-prompts from the lock of pinned prompts. Do not edit: `npx prompts pull` writes it.
// sha256-qXiIu17DBYrv51JL7vemYwfanraYhTLyPA5umW5m/sI=

declare module "virtual:prompts" {
    import type { Prompt } from "unplugin-prompts/runtime";
    export { PromptVariableError, toAISDK, toAnthropic, toOpenAI, toOpenAIResponses } from "unplugin-prompts/runtime";
    export type { OpenAIChat, OpenAIResponses, Prompt, PromptMessage, PromptValue, RenderedPrompt, SystemAndMessages } from "unplugin-prompts/runtime";

    /** Every pinned prompt, under its slug and under its identifier. */
    export interface Prompts {
        /**
         * support · gpt-5 · v1
         *
         * ```text
         * ˋ${process.exit(1)}ˋ \ \u0041 " ' </script><!-- *∕ /* //
         *  lone   CR,              $& $1
         * ::error::x
         * ```
         */
        readonly "code": Prompt<"code", "v1", "a">;
        /**
         * *∕ ＠see · ˋmodelˋ · v*∕1
         *
         * ```text
         * *∕ export const hacked = 1 /*
         * ＠deprecated {＠link https://x} ˋcodeˋ ˋˋˋ
         *  * ＠param x
         * ```
         */
        readonly "comments": Prompt<"comments", "v*/1", never>;
        /**
         * support · gpt-5 · v"1 | \
         *
         * ```text
         * "; declare const hacked: 1; "
         * ```
         */
        readonly "types": Prompt<"types", "v\"1 | \\", "a">;
    }

    export const prompts: Prompts;
}

declare module "virtual:prompts/all" {
    import type { Prompts } from "virtual:prompts";
    const prompts: Prompts;
    // @ts-ignore: an ES module may not, but what is declared here has no form
    export = prompts;
}
