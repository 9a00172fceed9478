"""L5Kit's API over bevscope: `import bevscope.l5kit.install`, then `import l5kit`."""

__version__ = "1.5.0"
