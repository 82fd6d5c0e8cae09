"""The catalogue, for models: tools, resources and prompts, a module each."""
