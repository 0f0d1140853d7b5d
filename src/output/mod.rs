//! What a run leaves behind: tidy CSVs, a manifest, tables in the terminal, progress. No decisions.

pub mod batches;
pub mod compare;
pub mod draft;
pub mod folder;
pub mod ground;
pub mod lock;
pub mod notes;
pub mod place;
pub mod progress;
pub mod reopen;
pub mod schema;
pub mod show;
pub mod tables;
pub mod terminal;
pub mod told;

/// A tidy table: named columns, and rows of fields as they are written. A field is empty where
/// nothing can be said.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Table {
    /// The columns' names.
    pub columns: Vec<String>,
    /// The rows, each as long as the columns.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// The place of a column.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column == name)
    }

    /// A field by its column; empty where there is no such column.
    pub fn field<'a>(&self, row: &'a [String], column: &str) -> &'a str {
        self.column(column).and_then(|place| row.get(place)).map_or("", String::as_str)
    }

    /// The table as CSV.
    ///
    /// # Errors
    /// Never in memory; the writer's errors are passed on.
    pub fn to_csv(&self) -> csv::Result<Vec<u8>> {
        let mut writer = csv::WriterBuilder::new().from_writer(Vec::new());
        writer.write_record(&self.columns)?;
        for row in &self.rows {
            writer.write_record(row)?;
        }
        writer.into_inner().map_err(|error| error.into_error().into())
    }

    /// A table from CSV.
    ///
    /// # Errors
    /// Text that is no CSV.
    pub fn from_csv(bytes: &[u8]) -> csv::Result<Self> {
        let mut reader = csv::Reader::from_reader(bytes);
        let columns = reader.headers()?.iter().map(str::to_owned).collect();
        let fields = |row: csv::StringRecord| row.iter().map(str::to_owned).collect();
        let rows = reader.records().map(|row| row.map(fields)).collect::<Result<_, _>>()?;
        Ok(Table { columns, rows })
    }
}

/// A real number as CSVs have it: 6 decimals, so that all CPUs write the same bytes; empty where
/// nothing can be said.
pub fn real(value: Option<f64>) -> String {
    match value {
        Some(value) if value.is_finite() => {
            let text = format!("{value:.6}");
            if text == "-0.000000" { text[1..].to_owned() } else { text }
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_survive_csv() {
        let table = Table {
            columns: vec!["a".into(), "b".into()],
            rows: vec![vec!["x(y=1, z=2)".into(), String::new()]],
        };
        assert_eq!(Table::from_csv(&table.to_csv().unwrap()).unwrap(), table);
    }

    #[test]
    fn reals_have_six_decimals_or_nothing() {
        assert_eq!(real(Some(0.25)), "0.250000");
        assert_eq!(real(Some(-1e-9)), "0.000000");
        assert_eq!([real(None), real(Some(f64::NAN)), real(Some(f64::INFINITY))], [""; 3]);
    }
}
