"""Pages: alerts that call somebody by mail or over a webhook, beside a console and chained at its desk."""
