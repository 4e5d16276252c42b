# A server for strangers, as a user of its own; docs/hosting.md has the words around it.
FROM python:3.11-slim
RUN useradd --create-home --uid 10001 tables
COPY requirements.lock pyproject.toml README.md LICENSE NOTICE /src/
COPY src /src/src
COPY books /src/books
RUN pip install --no-cache-dir --constraint /src/requirements.lock /src
USER tables
WORKDIR /home/tables
RUN mkdir -p .local/share/rulewright .cache/rulewright
VOLUME /home/tables/.local/share/rulewright
EXPOSE 8765
HEALTHCHECK --interval=30s --timeout=6s --start-period=60s CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8765/healthz', timeout=5)"]
CMD ["rulewright", "serve", "--host", "0.0.0.0", "--port", "8765"]
