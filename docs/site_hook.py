"""Links of docs/ that lead out of it go to the repository on the site."""

import posixpath
import re

LINK = re.compile(r"\]\(((?:\.\./)+[^)\s]+)\)")


def on_page_markdown(markdown, page, config, files):
    folder = posixpath.dirname(posixpath.join("docs", page.file.src_uri))

    def resolve(match):
        target = posixpath.normpath(posixpath.join(folder, match[1]))
        if target.startswith("docs/"):
            return match[0]
        return "](%s/blob/main/%s)" % (config.repo_url.rstrip("/"), target)

    return LINK.sub(resolve, markdown)
