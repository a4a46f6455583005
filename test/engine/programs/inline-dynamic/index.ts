import * as pulumi from "@pulumi/pulumi";

const provider: pulumi.dynamic.ResourceProvider = {
  async create(inputs) {
    return { id: "word-1", outs: inputs };
  },
};

class Word extends pulumi.dynamic.Resource {
  declare readonly text: pulumi.Output<string>;

  constructor(name: string, args: { text: pulumi.Input<string> }) {
    super(provider, name, args);
  }
}

export const word = new Word("greeting", { text: "hello" }).text;
export const settingsSeen = Object.keys(process.env).filter((name) => /^(OPSMANAGER|MCLI)_/.test(name));
